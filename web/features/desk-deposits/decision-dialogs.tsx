import { ApproveDialog } from './approve-dialog.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import type { DeskDeposit } from './use-desk-deposits.ts'

/**
 * The open decision dialog, with the deposit as it was when it opened. It stays mounted while the dialog fades out; each new
 * `turn` starts with an empty form.
 */
export type Question = { kind: 'approve' | 'reject'; deposit: DeskDeposit; isOpen: boolean; turn: number }

type DecisionDialogsProps = {
  question: Question | null
  onClose: () => void
  onGone: () => void
  onDecided: (id: string) => void
  onOvertaken: (id: string) => void
}

export function DecisionDialogs({ question, onClose, onGone, onDecided, onOvertaken }: DecisionDialogsProps) {
  if (!question) return null
  const { kind, deposit, isOpen, turn } = question
  const Dialog = kind === 'approve' ? ApproveDialog : RejectDialog
  return (
    <Dialog
      key={turn}
      deposit={deposit}
      isOpen={isOpen}
      onClose={onClose}
      onGone={onGone}
      onDecided={() => onDecided(deposit._id)}
      onOvertaken={() => {
        onOvertaken(deposit._id)
        onClose()
      }}
    />
  )
}
