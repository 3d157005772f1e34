"""Models behind one protocol: a request goes in, a stream of pieces comes out."""
