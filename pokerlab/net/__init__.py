"""Players over a network: the ACPC protocol over TCP, as dealer and client; language models over HTTP (`chat`)."""
