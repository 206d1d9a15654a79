"""Stand-ins for what AWS has in front of a model, on loopback, to test clients with; needs the extra ``dev``.

`primavoce.testing.aws.sagemaker_front` is SageMaker's front for bidirectional streams, HTTP/2 with signed events, and
`primavoce.testing.aws.response_stream` the one for streams of responses; both pass on to a real server of primavoce.
`primavoce.testing.aws.bedrock` plays a language model of Bedrock. They do what is documented, and fail, where a switch
says so, as the platform and the network have been seen to fail. Of what only a live account can show, they have what
would be worst for a client; see `primavoce.testing.aws.front_settings`. ``examples/sagemaker_stand_in.py`` speaks
through one.
"""
