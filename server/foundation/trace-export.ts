import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Tracing } from '../config.ts'
import { turnOnTracing } from './tracing.ts'
import { version } from './version.ts'

/**
 * Starts to send traces to where the standard variables say. Loaded only then: the libraries are large. Answers how to end, which
 * sends what is left.
 */
export function startTracing({ serviceName, share, headers = {} }: Tracing): { stop(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
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
