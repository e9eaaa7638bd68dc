import { Modal, type ModalProps, type ModalRootProps } from '@mantine/core'
import { useTranslation } from '../text/use-translation.ts'
import { useIsTopDialog } from './open-dialogs.ts'

/** A dialog whose Escape reaches no dialog below it. All dialogs of the web are one of these two or a sheet. */
export function Dialog({ closeOnEscape = true, ...props }: ModalProps) {
  const { t } = useTranslation()
  const isTop = useIsTopDialog(props.opened)
  return <Modal closeButtonProps={{ 'aria-label': t('Close') }} {...props} closeOnEscape={closeOnEscape && isTop} />
}

/** For a dialog with a layout of its own. */
export function DialogRoot({ closeOnEscape = true, ...props }: ModalRootProps) {
  const isTop = useIsTopDialog(props.opened)
  return <Modal.Root {...props} closeOnEscape={closeOnEscape && isTop} />
}
