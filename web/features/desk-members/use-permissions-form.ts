import { memberPermissions } from '@atrium/contract/access/scopes.ts'
import { useLayoutEffect, useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useLostSave } from '../../forms/use-lost-save.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { deniedIn } from './member-labels.ts'

type Changed = { denied: string[]; seen: string[] }

/** Sends the denials with the permissions that they were shown with, and answers the member's new ones. */
type Send = (changed: Changed) => Promise<string[]>

/**
 * The denials of one member. When a colleague changes them meanwhile, untouched switches show the new state and changed
 * ones stay, so that a save undoes nothing that was not shown.
 */
export function usePermissionsForm(permissions: string[], send: Send) {
  const { t } = useTranslation()
  const [seen, setSeen] = useState(permissions)
  const [read, setRead] = useState(permissions)
  const [isChangedElsewhere, setChangedElsewhere] = useState(false)
  const lost = useLostSave<string[]>()
  const form = useCallForm({
    start: { denied: deniedIn(permissions) },
    // No field of its own: every refusal is shown beside the button.
    labels: {},
    send: ({ denied }) => send({ denied, seen }),
    onDone: (saved) => {
      lost.take()
      setSeen(saved)
      setChangedElsewhere(false)
      toast.done(t('Saved. It takes effect with the member’s next action.'))
    },
    onRefused: (error, { denied }) => lost.note(error, denied),
    afterDone: 'anew',
  })
  const before = deniedIn(seen)
  const isNew = !isSame(permissions, read) && !form.isSubmitting
  // Changes that are made later begin with what the colleague has saved.
  if (isChangedElsewhere && !form.isDirty) setChangedElsewhere(false)
  useLayoutEffect(() => {
    if (!isNew) return
    setRead(permissions)
    if (isSame(permissions, seen)) return
    setSeen(permissions)
    const theirs = deniedIn(permissions)
    const own = lost.take()
    const isOwn = own !== null && isSame(theirs, own)
    setChangedElsewhere(form.isDirty && !isOwn)
    const begun = isOwn ? theirs : before
    form.rebase({ denied: theirs }, ({ denied }) => ({ denied: onTop(theirs, begun, denied) }))
  })
  const { denied } = form.values
  return {
    ...form,
    denied,
    isChangedElsewhere,
    /** The permissions that a save denies, and those that it restores. */
    taken: denied.filter((key) => !before.includes(key)),
    given: before.filter((key) => !denied.includes(key)),
    allow: (key: string, isAllowed: boolean) =>
      form.change({
        denied: memberPermissions.filter((each) => (each === key ? !isAllowed : denied.includes(each))),
      }),
  }
}

const isSame = (one: readonly string[], other: readonly string[]) => JSON.stringify(one) === JSON.stringify(other)

/** Their denials, except where mine differ from those that I began with. */
const onTop = (theirs: string[], begun: string[], mine: string[]) =>
  memberPermissions.filter((key) => (begun.includes(key) === mine.includes(key) ? theirs : mine).includes(key))
