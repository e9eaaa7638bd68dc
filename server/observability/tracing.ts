/**
 * OpenTelemetry traces: one per request or job, with its units of work and external calls. Names and attributes are
 * routes, queues, methods, numbers and workspace ids; never a URL with a query, a body or an error message, which may
 * hold personal data.
 */

import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('atrium')
let isOn = false

/** Until then no span is created; `trace-export.ts` calls this once it has started. */
export function turnOnTracing(): void {
  isOn = true
}

export const isTracing = (): boolean => isOn

type Doing = { kind?: SpanKind; attributes?: Attributes; parent?: Context }

/** Runs the work in its own span. Rethrows errors, and records only their kind. */
export async function inSpan<Result>(name: string, doing: Doing, work: () => Promise<Result>): Promise<Result> {
  if (!isOn) return work()
  const { parent = context.active(), ...options } = doing
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work()
    } catch (problem) {
      markFailed(span, problem)
      throw problem
    } finally {
      span.end()
    }
  })
}

export function markFailed(span: Span, problem: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', kindOf(problem))
}

function kindOf(problem: unknown): string {
  if (!(problem instanceof Error)) return typeof problem
  return 'code' in problem && typeof problem.code === 'string' ? problem.code : problem.name
}

/**
 * Wraps an external service so that every call is a span. The span of a streaming call ends when the stream begins.
 */
export function traceCalls<Outside extends object>(side: string, outside: Outside): Outside {
  if (!isOn) return outside
  return new Proxy(outside, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      return (...asked: unknown[]): unknown => {
        const span = tracer.startSpan(`${side} ${name}`, { kind: SpanKind.CLIENT })
        const call = (): unknown => Reflect.apply(value, target, asked)
        return ended(span, () => context.with(trace.setSpan(context.active(), span), call))
      }
    },
  })
}

function ended(span: Span, call: () => unknown): unknown {
  const fail = (problem: unknown): never => {
    markFailed(span, problem)
    span.end()
    throw problem
  }
  try {
    const answer = call()
    if (!(answer instanceof Promise)) {
      span.end()
      return answer
    }
    return answer.then((value: unknown) => {
      span.end()
      return value
    }, fail)
  } catch (problem) {
    return fail(problem)
  }
}

/** For the log: the ids of the active span. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const span = isOn ? trace.getActiveSpan()?.spanContext() : undefined
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}
