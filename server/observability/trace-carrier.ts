import { type Context, context, isSpanContextValid, ROOT_CONTEXT, trace } from '@opentelemetry/api'

/** W3C Trace Context, version 00: `00-<trace>-<parent>-<flags>`. */
const shape = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** What goes along with a job, or comes with a request of somebody who traces too; undefined where nothing is traced. */
export function traceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  if (!span || !isSpanContextValid(span)) return undefined
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

/** The context in which whoever sent it was; the root where it is absent or no such thing. */
export function contextOf(carried: unknown): Context {
  const [, traceId, spanId, flags] = (typeof carried === 'string' && shape.exec(carried)) || []
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(span) ? trace.setSpanContext(context.active(), span) : ROOT_CONTEXT
}
