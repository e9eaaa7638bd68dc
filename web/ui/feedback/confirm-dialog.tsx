import { Button, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { dangerousButton } from '../forms/dangerous-button.ts'
import { useTranslation } from '../text/use-translation.ts'
import { useTopDialog } from './open-dialogs.ts'

export type Question = {
  title: string
  /** What the action affects, and its consequence. */
  body?: ReactNode
  /** The label of the confirming button, e.g. "Cancel deposit". */
  action: string
  /** The label of the safe button, which has the initial focus. */
  stay?: string
  isDangerous?: boolean
  /** Proceeds without the dialog if it cannot load, so that signing out always works. */
  isYesUnasked?: boolean
}

type ConfirmDialogProps = { opened: boolean; question: Question | null; onSettle: (yes: boolean) => void }

export function ConfirmDialog({ opened, question, onSettle }: ConfirmDialogProps) {
  const { t } = useTranslation()
  const isTop = useTopDialog(opened)
  return (
    <Modal
      opened={opened}
      onClose={() => isTop() && onSettle(false)}
      title={question?.title}
      size={440}
      // Above the dialog that asks for confirmation.
      zIndex={300}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {question?.body && (
        <Text component="div" c="dimmed" mb="xl">
          {question.body}
        </Text>
      )}
      <div data-group="sm" data-align="center" data-justify="end">
        <Button variant="default" data-autofocus onClick={() => onSettle(false)}>
          {question?.stay ?? t('Cancel')}
        </Button>
        <Button {...(question?.isDangerous ? dangerousButton : {})} onClick={() => onSettle(true)}>
          {question?.action}
        </Button>
      </div>
    </Modal>
  )
}
