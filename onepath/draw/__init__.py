"""Optional drawing helpers, one module for each library that draws: a user imports the one wanted by name.

`onepath.draw.matplotlib` draws top views (`pip install "onepath[plot]"`). Nothing here is imported by `onepath` itself.
"""
