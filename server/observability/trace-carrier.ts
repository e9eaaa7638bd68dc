import { type Context, context, isSpanContextValid, ROOT_CONTEXT, trace } from '@opentelemetry/api'

/** W3C Trace Context, version 00: `00-<trace>-<parent>-<flags>`. */
const shape = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The trace context stored with a job or sent with a request; undefined when nothing is traced. */
export function traceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  if (!span || !isSpanContextValid(span)) return undefined
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

/** The sender's context; the root context if it is missing or invalid. */
export function contextOf(carried: unknown): Context {
  const [, traceId, spanId, flags] = (typeof carried === 'string' && shape.exec(carried)) || []
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(span) ? trace.setSpanContext(context.active(), span) : ROOT_CONTEXT
}
