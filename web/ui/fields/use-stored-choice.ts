import { useCallback, useMemo, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
/** The choices of a page whose browser refuses storage. */
const unstored = new Map<string, string>()

function read(key: string): string | null {
  try {
    return unstored.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
    unstored.delete(key)
  } catch {
    unstored.set(key, text)
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab of this browser has changed it.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function parsed<Value>(text: string | null, initial: Value): Value {
  try {
    return text === null ? initial : JSON.parse(text)
  } catch {
    return initial
  }
}

/** A choice stored in this browser, the same in all its tabs. Mantine's hook for it costs each first load a kilobyte. */
export function useStoredChoice<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const text = useSyncExternalStore(subscribe, () => read(key))
  const value = useMemo(() => parsed(text, initial), [text, initial])
  return [value, useCallback((chosen: Value) => write(key, JSON.stringify(chosen)), [key])]
}
