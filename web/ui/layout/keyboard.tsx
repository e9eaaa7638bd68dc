import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStoredChoice } from '../fields/use-stored-choice.ts'
import { Lazy, notifyMissing } from '../lazy/lazy.tsx'
import { type KeyBinding, readPress } from './keys.ts'
import type { KeyGroup, KeysDialog } from './keys-dialog.tsx'

/** The time within which the second key of a sequence counts. */
const secondKeyWithinMs = 1_500

type Source = { title: string; read: () => readonly KeyBinding[] }
type Shortcuts = { areOn: boolean; openHelp: () => void; add: (source: Source) => () => void }

const KeyboardContext = createContext<Shortcuts | null>(null)

export function useKeyboard(): Shortcuts {
  const keyboard = useContext(KeyboardContext)
  if (!keyboard) throw new Error('useKeyboard outside of KeyboardProvider')
  return keyboard
}

/** Binds these keys while the component is mounted; the help lists them under the title. */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const { add } = useKeyboard()
  const latest = useRef(bindings)
  // In a layout effect: the user may press a key as soon as the component is visible, and on a slow machine that can be
  // before a passive effect.
  useLayoutEffect(() => {
    latest.current = bindings
  })
  useLayoutEffect(() => add({ title, read: () => latest.current }), [add, title])
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]') !== null

const isDialogOpen = () => document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null

const keysDialog = async (): Promise<typeof KeysDialog> => (await import('./keys-dialog.tsx')).KeysDialog

/** For a list on a page without shortcuts of its own, as those of members are. */
export function Keyboard({ children }: { children: ReactNode }) {
  const isThere = useContext(KeyboardContext) !== null
  return isThere ? children : <KeyboardProvider>{children}</KeyboardProvider>
}

/** Letter shortcuts disturb speech input and users with tremor, so they can be turned off. The choice is stored in this browser. */
export const useKeysChoice = () => useStoredChoice('atrium.desk-keys', true)

export function KeyboardProvider({ children }: { children: ReactNode }) {
  const [areOn, setOn] = useKeysChoice()
  const [shown, setShown] = useState<KeyGroup[]>([])
  const [isHelpOpen, setHelpOpen] = useState(false)
  const sources = useRef<Source[]>([])

  const add = useCallback((source: Source) => {
    sources.current = [...sources.current, source]
    return () => {
      sources.current = sources.current.filter((other) => other !== source)
    }
  }, [])
  const openHelp = useCallback(() => {
    setShown(sources.current.map(({ title, read }) => ({ title, bindings: read() })))
    setHelpOpen(true)
  }, [])
  useListening(areOn, sources, openHelp)

  const keyboard = useMemo(() => ({ areOn, openHelp, add }), [areOn, openHelp, add])
  return (
    <KeyboardContext value={keyboard}>
      {children}
      <Lazy
        part={keysDialog}
        props={{
          opened: isHelpOpen,
          onClose: () => setHelpOpen(false),
          groups: shown,
          areKeysOn: areOn,
          onTurn: setOn,
        }}
        onMissing={() => {
          setHelpOpen(false)
          notifyMissing()
        }}
      />
    </KeyboardContext>
  )
}

function useListening(isOn: boolean, sources: { current: Source[] }, openHelp: () => void): void {
  useEffect(() => {
    if (!isOn) return
    let first: { key: string; at: number } | null = null
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'].includes(event.key)) return
      const press = {
        key: event.key,
        code: event.code,
        hasModifier: event.ctrlKey || event.altKey || event.metaKey,
        isRepeat: event.repeat,
        isTyping: isTyping(event.target),
        isDialogOpen: isDialogOpen(),
      }
      const begun = first && event.timeStamp - first.at <= secondKeyWithinMs ? first.key : null
      // The binding mounted last wins: a page's own key before a global one.
      const bindings = sources.current.flatMap(({ read }) => read()).reverse()
      const help = { keys: '?', label: '', act: openHelp }
      const reading = readPress(press, [...bindings, help], begun)
      first = reading.begun === null ? null : { key: reading.begun, at: event.timeStamp }
      if (!reading.found) return
      event.preventDefault()
      reading.found.act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOn, sources, openHelp])
}
