import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { Lazy, notifyMissing } from '../lazy/lazy.tsx'
import type { Question } from './confirm-dialog.tsx'

type Ask = (question: Question) => Promise<boolean>

const dialog = async () => (await import('./confirm-dialog.tsx')).ConfirmDialog

const ConfirmContext = createContext<Ask | null>(null)

/** Opens a confirmation with its data: `if (await confirm({...})) ...` */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext)
  if (!ask) throw new Error('useConfirm outside of ConfirmProvider')
  return ask
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null)
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<(yes: boolean) => void>(() => undefined)

  const ask = useCallback<Ask>((next) => {
    // A second question while one is open answers the first with no.
    answer.current(false)
    setQuestion(next)
    // After the current key press: an Escape that closes a dialog must not answer the question too.
    setTimeout(() => setOpen(true))
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])

  const settle = (yes: boolean) => {
    setOpen(false)
    answer.current(yes)
  }
  const settleUnasked = () => {
    const yes = question?.isYesUnasked ?? false
    if (!yes) notifyMissing()
    settle(yes)
  }

  return (
    <ConfirmContext value={ask}>
      {children}
      <Lazy part={dialog} props={{ opened: isOpen, question, onSettle: settle }} onMissing={settleUnasked} />
    </ConfirmContext>
  )
}
