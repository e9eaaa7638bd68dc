// spec: OP faults
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { npmCommand } from '../setup.js'

const root = dirname(dirname(import.meta.dirname))

/** Installs a package from a local folder with the real npm, and returns which of its scripts ran. */
function installIntruder({ isOurs }: { isOurs: boolean }): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-install-'))
  const steps = ['preinstall', 'install', 'postinstall', 'prepare']
  try {
    mkdirSync(join(folder, 'intruder'))
    const touch = (step: string): string => `node -e "require('node:fs').writeFileSync('../ran-${step}', '')"`
    const scripts = Object.fromEntries(steps.map((step) => [step, touch(step)]))
    writeFileSync(
      join(folder, 'intruder', 'package.json'),
      JSON.stringify({ name: 'intruder', version: '1.0.0', scripts }),
    )
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: { intruder: 'file:intruder' } }),
    )
    if (isOurs) copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
    const { command, args } = npmCommand(root, process.env)
    // Settings of the user or of the npm that runs this test would change the result.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)))
    const { status, stderr } = spawnSync(command, [...args, 'install', '--offline', '--no-audit', '--no-fund'], {
      cwd: folder,
      env: { ...env, npm_config_userconfig: join(folder, 'none'), npm_config_cache: join(folder, 'cache') },
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    assert.ok(existsSync(join(folder, 'node_modules', 'intruder', 'package.json')))
    return steps.filter((step) => existsSync(join(folder, `ran-${step}`)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('npm runs no install scripts with our settings, and does without them', () => {
  assert.ok(installIntruder({ isOurs: false }).includes('postinstall'))
  assert.deepEqual(installIntruder({ isOurs: true }), [])
})
