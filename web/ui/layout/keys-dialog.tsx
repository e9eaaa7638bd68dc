import { Checkbox, Kbd, Modal } from '@mantine/core'
import { useTranslation } from '../text/use-translation.ts'
import type { KeyBinding } from './keys.ts'
import parts from './keys-dialog.module.css'

export type KeyGroup = { title: string; bindings: readonly KeyBinding[] }
type KeysDialogProps = {
  opened: boolean
  onClose: () => void
  groups: readonly KeyGroup[]
  areKeysOn: boolean
  onTurn: (isOn: boolean) => void
}

export function KeysDialog({ opened, onClose, groups, areKeysOn, onTurn }: KeysDialogProps) {
  const { t } = useTranslation()
  const help = { keys: '?', label: 'Show keyboard shortcuts' }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('Keyboard shortcuts')}
      size={420}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {groups.map(({ title, bindings }, index) => (
        <section key={title} className={parts.group}>
          <h3 className={parts.title}>{title}</h3>
          <dl data-stack="none">
            {[...bindings, ...(index === 0 ? [help] : [])].map(({ keys, label }) => (
              <div key={keys} className={parts.key}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <Kbd key={key}>{key.toUpperCase()}</Kbd>
                  ))}
                </dt>
                <dd>{t(label)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Checkbox
        size="xs"
        label={t('Enable keyboard shortcuts')}
        checked={areKeysOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
    </Modal>
  )
}
