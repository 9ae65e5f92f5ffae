# Nothing here is for Python: the kernel is called through its .pxd.
