import { texts } from '@atrium/contract/texts.ts'
import { Button, Modal } from '@mantine/core'
import { DoneMark } from '../../../ui/feedback/done-mark.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from './deposit-form.module.css'

type DialogProps = {
  ticket: string | undefined
  /** The next step, if it is not the check of a receipt. */
  about?: string
  onClose: () => void
}

export function DepositCreatedDialog({ ticket, about, onClose }: DialogProps) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened={ticket !== undefined} onClose={onClose} size={420} centered radius="lg">
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className={parts.dialog ?? ''}>
          <DoneMark />
          <Modal.Title className={parts.dialogTitle ?? ''}>{t(texts.transactionCreated)}</Modal.Title>
          <p className={parts.dialogText}>
            {about ??
              t('Your deposit number is {{ticket}}. We will check the receipt and then credit your account.', {
                ticket,
              })}
          </p>
          <Button fullWidth size="md" data-autofocus onClick={onClose}>
            {t('See my transactions')}
          </Button>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
