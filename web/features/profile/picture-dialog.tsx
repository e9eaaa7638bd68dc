import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { Button } from '@mantine/core'
import { useRef } from 'react'
import { fileAddress } from '../../api/address.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Picked } from '../../ui/files/picked-file.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Portrait } from '../../ui/layout/portrait.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DialogButtons } from './dialog-parts.tsx'
import { PictureCropper } from './picture-cropper.tsx'
import parts from './profile-dialogs.module.css'
import { usePicture } from './use-picture.ts'
import type { Profile } from './use-profile.ts'

type PictureDialogProps = { profile: Profile; isOpen: boolean; onClose: () => void }

export function PictureDialog({ profile, isOpen, onClose }: PictureDialogProps) {
  const { t } = useTranslation()
  return (
    <FormDialog title={t('Your picture')} size={440} isOpen={isOpen} onClose={onClose}>
      {(tools) => <PictureForm profile={profile} tools={tools} />}
    </FormDialog>
  )
}

function PictureForm({ profile, tools }: { profile: Profile; tools: DialogTools }) {
  const { t } = useTranslation()
  const chooser = useRef<HTMLInputElement>(null)
  const { picture, view, setView, problems, sending, choose, save, remove, isSaving } = usePicture(tools)
  const current = profile.profile_pic
  const chooseButton = (
    <Button
      variant="default"
      data-autofocus
      disabled={isSaving || sending.isPaused}
      onClick={() => chooser.current?.click()}
    >
      {picture || current ? t('Choose another') : t('Choose a picture')}
    </Button>
  )
  const askToRemove = async () => {
    const yes = await tools.confirm({
      title: t('Remove this picture?'),
      body: t('It is removed at once. To show it again, you need its file.'),
      action: t('Remove picture'),
      isDangerous: true,
    })
    if (yes) remove()
  }
  return (
    <form data-stack="lg" onSubmit={save}>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={uploadPurposes.picture.extensions.map((extension) => `.${extension}`).join(',')}
        aria-label={t('Picture file')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) choose(file)
        }}
      />
      {picture && view ? (
        <PictureCropper picture={picture} view={view} onView={setView} />
      ) : (
        <div data-stack="lg" data-align="center">
          <Portrait name={profile.name} url={current && fileAddress(current.url)} size="huge" />
          <p className={parts.note}>{t('PNG or JPG. You and our team see it, nobody else.')}</p>
        </div>
      )}
      {sending.picked && (
        <Picked
          picked={sending.picked}
          isWaiting={false}
          onRemove={sending.remove}
          onResume={sending.isBroken ? sending.resume : undefined}
        />
      )}
      <Refusal messages={problems} isUnknown={false} />
      {picture ? (
        <DialogButtons isSaving={isSaving} onCancel={tools.onCancel} aside={chooseButton} save={t('Save picture')} />
      ) : (
        <div data-stack="lg" data-align="center">
          {chooseButton}
          {current && (
            <Button variant="subtle" color="gray" loading={isSaving} onClick={askToRemove}>
              {t('Remove picture')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}
