import { ActionIcon, Modal } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './receipts.module.css'

type PictureDialogProps = { name: string; address: string; isOpen: boolean; onClose: () => void }

const scales = [1, 1.5, 2, 3, 4]

/** Enlarges a receipt until its small print is readable. */
export function PictureDialog({ name, address, isOpen, onClose }: PictureDialogProps) {
  const { t } = useTranslation()
  const [step, setStep] = useState(0)
  const scale = scales[step] ?? 1
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={name}
      size="min(1100px, 94vw)"
      classNames={{ body: parts.zoomBody ?? '', title: parts.zoomTitle ?? '' }}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.zoomBar} data-group="sm" data-nowrap data-align="center" data-justify="center">
        <ActionIcon aria-label={t('Zoom out')} disabled={step === 0} onClick={() => setStep(step - 1)}>
          <IconMinus size={18} stroke={1.5} />
        </ActionIcon>
        <output aria-label={t('Zoom')}>{`${Math.round(scale * 100)}%`}</output>
        <ActionIcon aria-label={t('Zoom in')} disabled={step === scales.length - 1} onClick={() => setStep(step + 1)}>
          <IconPlus size={18} stroke={1.5} />
        </ActionIcon>
      </div>
      <div className={parts.zoomFrame}>
        <button
          type="button"
          className={parts.zoomPicture}
          style={{ width: `${scale * 100}%` }}
          aria-label={t('Receipt {{name}}, change the zoom', { name })}
          onClick={() => setStep((step + 1) % scales.length)}
        >
          <img src={address} alt="" />
        </button>
      </div>
    </Modal>
  )
}
