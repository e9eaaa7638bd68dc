import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../forms/dangerous-button.ts'

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

export type ConfirmDialogProps = { opened: boolean; question: Question | null; onSettle: (yes: boolean) => void }

export function ConfirmDialog({ opened, question, onSettle }: ConfirmDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={() => onSettle(false)}
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
        <Button variant="default" data-autofocus onClick={() => onSettle(false)}>
          {question?.stay ?? t('Cancel')}
        </Button>
        <Button {...(question?.isDangerous ? dangerousButton : {})} onClick={() => onSettle(true)}>
          {question?.action}
        </Button>
      </Group>
    </Modal>
  )
}
