import { Checkbox, Kbd, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { deskKeys } from './desk-keys.ts'
import parts from './keys-dialog.module.css'

type KeysDialogProps = { isOpen: boolean; onClose: () => void; areKeysOn: boolean; onTurn: (isOn: boolean) => void }

export function KeysDialog({ isOpen, onClose, areKeysOn, onTurn }: KeysDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('Keyboard')}
      size={380}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <dl className={parts.keys}>
        {deskKeys.map(({ key, words }) => (
          <div key={key} className={parts.key}>
            <dt>
              <Kbd>{key.toUpperCase()}</Kbd>
            </dt>
            <dd>{t(words)}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        size="xs"
        label={t('Use these keys')}
        checked={areKeysOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
    </Modal>
  )
}
