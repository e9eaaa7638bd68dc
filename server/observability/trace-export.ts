import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { version } from '../foundation/database/version.ts'
import type { Tracing } from '../tracing-settings.ts'
import { turnOnTracing } from './tracing.ts'

/**
 * Starts to send traces to where the standard variables say. Loaded only then: the libraries are large. Answers how to end, which
 * sends what is left.
 */
export function startTracing({ serviceName, headers = {}, ...sampling }: Tracing): { stop(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: makeSampler(sampling),
    // Address, compression and time-out are the exporter's own to read; headers may stand in a file, which it does not know.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ headers }) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  turnOnTracing()
  return {
    async stop() {
      // Somebody who collects traces and is away keeps nobody from ending.
      await provider.shutdown().catch(() => undefined)
    },
  }
}

/** By the standard's names; the library leaves reading them to its user. */
export function makeSampler({ sampler, share }: Pick<Tracing, 'sampler' | 'share'>): Sampler {
  const isByParent = sampler.startsWith('parentbased_')
  const kind = sampler.replace('parentbased_', '')
  const root =
    kind === 'always_on'
      ? new AlwaysOnSampler()
      : kind === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(share)
  return isByParent ? new ParentBasedSampler({ root }) : root
}
