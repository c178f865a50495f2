"""What several test folders share: servers and clients that make trouble on purpose."""
