"""A stand-in for `pulumi-language-python`, on the SDK's own gRPC stubs.

It serves what a Python program, its dynamic providers and its policy packs need;
every other call is answered with UNIMPLEMENTED, which the engine accepts.
"""
