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
 * Starts the export of traces as the standard variables configure; loaded only then, since the libraries are large.
 * Returns a function that flushes and stops.
 */
export function startTracing({ serviceName, headers = {}, ...sampling }: Tracing): { stop(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: makeSampler(sampling),
    // The exporter reads address, compression and timeout itself, but not headers from a file.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ headers }) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  turnOnTracing()
  return {
    async stop() {
      // An unreachable collector does not prevent the process from ending.
      await provider.shutdown().catch(() => undefined)
    },
  }
}

/** Reads the standard variable names; the library leaves this to the application. */
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
