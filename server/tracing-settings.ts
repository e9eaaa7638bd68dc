import type { Environment } from './environment.ts'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** `share`: the sampled ratio of requests and jobs, 0 to 1. `headers` are sent to the collector, and secret. */
export type Tracing = {
  serviceName: string
  sampler: (typeof samplers)[number]
  share: number
  headers?: Record<string, string>
}

type Read = Pick<Environment, `OTEL_${string}` & keyof Environment>

/**
 * Reads the standard OpenTelemetry variables; null without tracing. They are often set for a whole machine, so an
 * unknown value becomes an entry in `warnings` instead of stopping the start.
 */
export function readTracing(read: Read): { tracing: Tracing | null; warnings: string[] } {
  const isAsked = Boolean(read.OTEL_EXPORTER_OTLP_ENDPOINT ?? read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
  const exporters = wordsIn(read.OTEL_TRACES_EXPORTER)
  if (!isAsked || wordsIn(read.OTEL_SDK_DISABLED)[0] === 'true' || isOnly(exporters, 'none'))
    return { tracing: null, warnings: [] }
  if (exporters.length > 0 && !exporters.includes('otlp'))
    return { tracing: null, warnings: ['OTEL_TRACES_EXPORTER: only otlp and none are known; nothing is traced'] }
  const [wanted = 'parentbased_traceidratio'] = wordsIn(read.OTEL_TRACES_SAMPLER)
  const sampler = samplers.find((each) => each === wanted)
  const warnings = sampler ? [] : [`OTEL_TRACES_SAMPLER: known are ${samplers.join(', ')}; the usual one is used`]
  const [serviceName, share] = [read.OTEL_SERVICE_NAME, read.OTEL_TRACES_SAMPLER_ARG]
  const tracing = { serviceName, sampler: sampler ?? ('parentbased_traceidratio' as const), share }
  const headers = read.OTEL_EXPORTER_OTLP_HEADERS
  return { tracing: headers ? { ...tracing, headers } : tracing, warnings }
}

const wordsIn = (text = ''): string[] =>
  text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

const isOnly = (words: string[], word: string): boolean => words.length === 1 && words[0] === word
