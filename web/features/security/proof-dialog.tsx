import { Modal, Text } from '@mantine/core'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { useTopDialog } from '../../ui/feedback/open-dialogs.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { FactorForm } from './factor-form.tsx'
import { useSecurityApi } from './security-api.tsx'
import { useSecurity, useSecurityRefresh } from './use-security.ts'

type ProofDialogProps = { isOpen: boolean; onSettle: (proven: boolean) => void }

/** The only step-up dialog: asks for the second factor, or for the password when there is none. */
export function ProofDialog({ isOpen, onSettle }: ProofDialogProps) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const { data: security, error, refetch } = useSecurity()
  const refresh = useSecurityRefresh()
  // It opens above the form whose call needs the proof.
  const isTop = useTopDialog(isOpen)
  return (
    <Modal
      opened={isOpen}
      onClose={() => isTop() && onSettle(false)}
      title={t('Confirm that it is you')}
      size={440}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Text c="dimmed" mb="lg">
        {t('Please confirm that it is you. The confirmation is valid for fifteen minutes.')}
      </Text>
      {error && !security && <ErrorState error={error} onRetry={() => refetch()} />}
      {security && (
        <FactorForm
          label={t('Confirm that it is you')}
          action={t('Confirm')}
          methods={security.proof_methods}
          request={api.startProof}
          send={api.prove}
          onDone={() => {
            onSettle(true)
            refresh()
          }}
        />
      )}
    </Modal>
  )
}
