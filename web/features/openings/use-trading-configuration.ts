import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'

export function useTradingConfiguration({ isOff = false }: { isOff?: boolean } = {}) {
  return useQuery({
    queryKey: ['trading-configuration'],
    queryFn: async () => {
      const { readTradingConfiguration } = await import('@atrium/contract/workspace-settings/calls.ts')
      return (await call(readTradingConfiguration, {})).config
    },
    enabled: !isOff,
    // A form always opens with the current configuration, including recent changes by the desk.
    gcTime: 0,
  })
}
export type TradingConfiguration = NonNullable<ReturnType<typeof useTradingConfiguration>['data']>
