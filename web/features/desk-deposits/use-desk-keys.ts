import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { type DeskAction, readDeskKey } from './desk-keys.ts'

/** Letters as commands get in the way of speech input and shaky hands, so they can be turned off. Remembered here. */
export function useAreKeysOn() {
  return useLocalStorage({ key: 'atrium.desk-keys', defaultValue: true, getInitialValueInEffect: false })
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

const isDialogOpen = () => document.querySelector('[role="dialog"], [role="menu"]') !== null

export function useDeskKeys(isOn: boolean, act: (action: DeskAction) => void): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => {
      const action = readDeskKey({
        key: event.key,
        code: event.code,
        hasModifier: event.ctrlKey || event.altKey || event.metaKey,
        isRepeat: event.repeat,
        isTyping: isTyping(event.target),
        isDialogOpen: isDialogOpen(),
      })
      if (!action || event.defaultPrevented) return
      event.preventDefault()
      latest.current(action)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOn])
}
