import { toast } from '../feedback/toast.ts'
import { i18n } from '../text/i18n.ts'

/** The file of a field for one; of several that are dropped or pasted together, it takes the first and says so. */
export function oneFile(files: ArrayLike<File> | null | undefined): File | undefined {
  const file = files?.[0]
  if (file && (files?.length ?? 0) > 1)
    toast.warning(
      i18n.t('Only one file can be added at a time: {{name}} was added, the others were not.', { name: file.name }),
    )
  return file
}
