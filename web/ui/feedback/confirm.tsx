import { Button, Group, Text } from '@mantine/core'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../forms/dangerous-button.ts'
import { LateModal } from '../layout/late.tsx'

export type Question = {
  title: string
  /** The thing and the consequence. */
  body?: ReactNode
  /** What the button that goes ahead says, e.g. "Cancel deposit". */
  action: string
  /** What the safe button says; it has the focus. */
  stay?: string
  isDangerous?: boolean
}

type Ask = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Ask | null>(null)

/** Opens a confirmation with its data: `if (await confirm({...})) ...` */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext)
  if (!ask) throw new Error('useConfirm outside of ConfirmProvider')
  return ask
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const [question, setQuestion] = useState<Question | null>(null)
  const [isOpen, setOpen] = useState(false)
  const answer = useRef<(yes: boolean) => void>(() => undefined)

  const ask = useCallback<Ask>((next) => {
    // A second question while one is open answers the first with no.
    answer.current(false)
    setQuestion(next)
    // After the key press that asked: an Escape that would close a dialog must not answer the question too.
    setTimeout(() => setOpen(true))
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])

  const settle = (yes: boolean) => {
    setOpen(false)
    answer.current(yes)
  }

  return (
    <ConfirmContext value={ask}>
      {children}
      <LateModal
        opened={isOpen}
        onClose={() => settle(false)}
        title={question?.title}
        size={440}
        // Above the dialog that asks.
        zIndex={300}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {question?.body && (
          <Text component="div" c="dimmed" mb="xl">
            {question.body}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" data-autofocus onClick={() => settle(false)}>
            {question?.stay ?? t('Cancel')}
          </Button>
          <Button {...(question?.isDangerous ? dangerousButton : {})} onClick={() => settle(true)}>
            {question?.action}
          </Button>
        </Group>
      </LateModal>
    </ConfirmContext>
  )
}
