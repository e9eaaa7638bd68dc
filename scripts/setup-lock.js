import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const beatMs = 2_000
const silentMs = 30_000

/**
 * One set-up at a time: two `npm install` in one folder break each other. A folder is made atomically on any system and any
 * Node; its holder shows signs of life, since a process id says nothing when two containers share the folder.
 */
export async function setupLock(folder, say) {
  for (let isFirstLook = true; !take(folder); isFirstLook = false) {
    const holder = readHolder(folder)
    if (holder && isOver(folder, holder)) {
      breakLock(folder, holder)
      continue
    }
    if (isFirstLook) say(`Waiting for another set-up of this folder (process ${holder?.pid ?? 'unknown'}) …`)
    await delay(200)
  }
  const beat = setInterval(() => utimesSync(folder, new Date(), new Date()), beatMs)
  return () => {
    clearInterval(beat)
    rmSync(folder, { recursive: true, force: true })
  }
}

function take(folder) {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
  writeFileSync(join(folder, 'holder'), JSON.stringify({ pid: process.pid, host: hostname() }))
  return true
}

function readHolder(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'holder'), 'utf8'))
  } catch {
    // Just taken and not yet written, or just given back. Killed in between is rare; then only silence tells.
    return isSilent(folder) ? { pid: 0, host: hostname() } : undefined
  }
}

function isOver(folder, holder) {
  return (holder.host === hostname() && !exists(holder.pid)) || isSilent(folder)
}

function isSilent(folder) {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > silentMs
}

/** Moved aside first, so that of two who find it dead one removes it and the other does not remove the next one's. */
function breakLock(folder, dead) {
  const aside = `${folder}.${process.pid}`
  try {
    renameSync(folder, aside)
  } catch {
    return // The other one was quicker.
  }
  const moved = readHolder(aside)
  if (moved && moved.pid !== dead.pid) renameSync(aside, folder)
  else rmSync(aside, { recursive: true, force: true })
}

function exists(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
