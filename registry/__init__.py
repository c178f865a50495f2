"""The box's registry: the SQLite file whose table `routes` says what runs on the box.

The file belongs to the platform. It is read as it is, written narrowly (`writes`), and one table
of our own is added to it (`lineage`). `route` and `operations` are pure values; `connection` opens
the file; `fingerprint`, `verify` and `vacuum` serve its snapshots.
"""
