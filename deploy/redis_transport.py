"""Celery's way to a broker of Redis or Valkey, in which a message that is over is over.

Kombu would go on counting a message that could not be acknowledged, as the broker was away, among those the
worker is busy with; a worker that takes one at a time would never ask for another, nor notice that the broker
is back.
"""

from kombu.transport import redis, virtual


class _Acknowledging(redis.QoS):
    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        except redis.get_redis_error_classes().connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


class _Channel(redis.Channel):
    QoS = _Acknowledging


class _SentinelChannel(redis.SentinelChannel):
    QoS = _Acknowledging


class Transport(redis.Transport):
    Channel = _Channel


class SentinelTransport(redis.SentinelTransport):
    Channel = _SentinelChannel
