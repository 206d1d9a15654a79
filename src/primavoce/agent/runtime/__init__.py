"""The page in front of an agent that is deployed to Amazon Bedrock AgentCore Runtime; needs the extra ``agent``."""
