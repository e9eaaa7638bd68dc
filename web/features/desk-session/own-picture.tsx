import { setOwnPicture } from '@atrium/contract/staff/desk-calls.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { fileAddress } from '../../api/address.ts'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { PictureField } from '../../ui/files/picture-field.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { deskUserQuery, useDeskUser } from './desk-session.ts'

/** The picture that members see beside this staff member's answers. */
export function OwnPicture() {
  const { t } = useTranslation()
  const { picture } = useDeskUser()
  const queries = useQueryClient()
  const wear = useMutation({
    mutationFn: (next: string | null) => call(setOwnPicture, { picture: next }),
    onSuccess: async ({ msg }) => {
      await queries.invalidateQueries({ queryKey: deskUserQuery.queryKey })
      toast.done(msg.map((line) => t(line)).join(' '))
    },
  })
  return (
    <PictureField
      label={t('Picture')}
      alt={t('Your current picture')}
      url={picture && fileAddress(picture)}
      hint={t('PNG or JPEG, ideally square. Members see it beside your answers. Saved at once.')}
      removal={picture && t('Remove')}
      isSaving={wear.isPending}
      save={async (next) => {
        await wear.mutateAsync(next)
      }}
    />
  )
}
