"""Every read of the public pages, one module per story: querysets in, small frozen rows out."""
