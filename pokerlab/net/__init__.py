"""Play over a network: the ACPC protocol over TCP, as dealer and client; and language models over HTTP (`chat`)."""
