import { uploadPurposes } from '@atrium/contract/files/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { removePicture, savePicture } from '@atrium/contract/members/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { type FormEvent, useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useUpload } from '../../forms/use-upload.ts'
import { fileProblem } from '../../ui/files/file-rules.ts'
import type { DialogTools } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { middleOf, type View } from './crop.ts'
import { drawCut } from './picture-cropper.tsx'
import { useSaveProfile } from './use-save-profile.ts'

/** The original may exceed the limit of a stored picture: only the crop is sent. */
const chosenRules = { ...uploadPurposes.picture, sizeBytesMax: uploadPurposes.document.sizeBytesMax }

/** Opens and crops the chosen file in the browser, and uploads a small square. The picture saved is the last one uploaded. */
export function usePicture({ onSaved, onDirty }: DialogTools) {
  const { t } = useTranslation()
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [view, setView] = useState<View | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const wearing = useSaveProfile(savePicture)
  const removing = useSaveProfile(removePicture)
  const form = useCallForm({
    start: { media: null as string | null },
    labels: {},
    isEdited: () => picture !== null,
    send: ({ media }) => (media === null ? removing.send({}) : wearing.send({ media })),
    onDone: onSaved,
    onDirty,
  })
  const sending = useUpload('picture', ({ _id }) => form.submit({ media: _id }))

  const choose = async (file: File) => {
    sending.remove()
    const found = fileProblem(file, chosenRules)
    setProblem(found && t(found.text, found.values))
    if (found) return
    try {
      const opened = await createImageBitmap(file)
      setPicture(opened)
      setView(middleOf(opened))
    } catch {
      setProblem(t(fileTexts.fileTypes, { types: chosenRules.extensions.join(', ') }))
    }
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!picture || !view || form.isSubmitting || sending.isSending) return
    setProblem(null)
    try {
      await sending.pick(await drawFile(picture, view))
    } catch {
      setProblem(texts.requestFailed)
    }
  }
  const problems = [problem, sending.error, ...form.refusal].filter((each): each is string => each != null)
  return {
    picture,
    view,
    setView,
    problems,
    sending,
    choose,
    save,
    remove: () => form.submit({ media: null }),
    isSaving: sending.isSending || form.isSubmitting,
  }
}

async function drawFile(picture: ImageBitmap, view: View): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = limits.pictureSidePixels
  canvas.height = limits.pictureSidePixels
  drawCut(canvas, picture, view)
  const cut = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  if (!cut) throw new Error(texts.requestFailed)
  return new File([cut], 'picture.jpg', { type: 'image/jpeg' })
}
