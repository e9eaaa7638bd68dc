import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connectMt4Control } from './mt4/control-client.ts'
import { connectMt5Control } from './mt5/control-client.ts'

async function startProcess(state: string) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ATRIUM_SIMULATOR_STATE: state },
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const ready = JSON.parse(line) as { mt5: { controlUrl: string }; mt4: { controlUrl: string } }
  return { child, mt5: connectMt5Control(ready.mt5.controlUrl), mt4: connectMt4Control(ready.mt4.controlUrl) }
}

test('the process reports readiness, ends with its parent, and restores its state', async () => {
  const state = mkdtempSync(join(tmpdir(), 'atrium-simulators-'))
  try {
    const first = await startProcess(state)
    const ada = { login: '700123', group: 'real\\standard-usd', name: 'Ada North', leverage: 200, balance: '10' }
    await first.mt5.seedAccounts([ada])
    await first.mt4.seedAccounts([{ ...ada, login: '400123', group: 'real-usd' }])
    first.child.stdin.end()
    assert.deepEqual(await once(first.child, 'exit'), [0, null])

    const second = await startProcess(state)
    assert.equal((await second.mt5.account('700123'))?.balance, '10.00')
    assert.equal((await second.mt4.account('400123'))?.balance, '10.00')
    second.child.kill('SIGKILL')
    await once(second.child, 'exit')

    const third = await startProcess(state)
    assert.equal((await third.mt5.account('700123'))?.balance, '10.00')
    assert.equal((await third.mt4.account('400123'))?.balance, '10.00')
    third.child.kill('SIGTERM')
    assert.deepEqual(await once(third.child, 'exit'), [0, null])
  } finally {
    rmSync(state, { recursive: true })
  }
})
