import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { onlineManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { startTransport } from '../../../api/transport.ts'
import { dashboardQuery } from '../../dashboard/use-dashboard.ts'
import { equityOverTime } from './equity-over-time.ts'

it('shows no line of another account, and nothing of another period for as long as the connection is lost', () => {
  startTransport({ session: { read: () => null } as never, onSignedOut: () => undefined, onMustEnrol: () => undefined })
  mock.method(globalThis, 'fetch', () => new Promise(() => undefined))
  const client = new QueryClient()
  const line = { points: [], from: 1, to: 2 }
  const totals = { currencies: [] }
  client.setQueryData(equityOverTime('first', '1m').queryKey, line as never)
  client.setQueryData(dashboardQuery(1).queryKey, totals as never)
  const chart = new QueryObserver(client, equityOverTime('first', '1m'))
  const dashboard = new QueryObserver(client, dashboardQuery(1))
  const stops = [chart.subscribe(() => undefined), dashboard.subscribe(() => undefined)]
  const shown = (account: string, range: '1d' | '1w', from: number) => {
    chart.setOptions(equityOverTime(account, range))
    dashboard.setOptions(dashboardQuery(from))
    const all = [chart.getCurrentResult().data, dashboard.getCurrentResult().data]
    chart.setOptions(equityOverTime('first', '1m'))
    dashboard.setOptions(dashboardQuery(1))
    return all
  }
  assert.deepEqual(shown('first', '1w', 2), [line, totals])
  assert.deepEqual(shown('second', '1w', 2), [undefined, totals])
  onlineManager.setOnline(false)
  assert.deepEqual(shown('first', '1d', 3), [undefined, undefined])
  onlineManager.setOnline(true)
  for (const stop of stops) stop()
  client.clear()
  mock.restoreAll()
})
