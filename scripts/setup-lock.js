import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const beatMs = 2_000
const silentMs = 30_000

/**
 * Serializes set-ups: two `npm install` in one folder break each other. Creating a folder is atomic on every system and
 * Node; the holder updates a heartbeat, since a process id means nothing when two containers share the folder.
 */
export async function setupLock(folder, print) {
  for (let isFirstLook = true; !take(folder); isFirstLook = false) {
    const holder = readHolder(folder)
    if (holder && isOver(folder, holder)) {
      breakLock(folder, holder)
      continue
    }
    if (isFirstLook) print(`Waiting for another set-up of this folder (process ${holder?.pid ?? 'unknown'}) …`)
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
    // Just taken or just released. A kill in between is rare; then only the missing heartbeat shows it.
    return isSilent(folder) ? { pid: 0, host: hostname() } : undefined
  }
}

function isOver(folder, holder) {
  return (holder.host === hostname() && !exists(holder.pid)) || isSilent(folder)
}

function isSilent(folder) {
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const passedMs = Date.now() - stat.mtimeMs
  return passedMs > silentMs || staysAhead(-passedMs)
}

let aheadSince

/** A clock that was set back: a living holder moves its heartbeat back within a beat, a dead one would seem alive for as long. */
function staysAhead(aheadMs) {
  if (aheadMs <= silentMs) aheadSince = undefined
  else aheadSince ??= performance.now()
  return aheadSince !== undefined && performance.now() - aheadSince > 2 * beatMs
}

/** Renames the folder first: of two processes that find it dead, only one may remove it, and never the next holder's. */
function breakLock(folder, dead) {
  const aside = `${folder}.${process.pid}`
  try {
    renameSync(folder, aside)
  } catch {
    return // Another process was quicker.
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
