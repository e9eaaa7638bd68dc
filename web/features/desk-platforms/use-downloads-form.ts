import type { downloadSystems } from '@atrium/contract/downloads/downloads.ts'
import { setDownloads } from '@atrium/contract/platforms/desk-calls.ts'
import { useCallback, useRef, useState } from 'react'
import { call } from '../../api/transport.ts'
import { type Platform, usePlatformForm } from './use-platforms.ts'

export type DownloadFile = NonNullable<Platform['downloads'][number]['file']>
export type Entry = {
  /** Identifies the row while editing; a new one has no id yet. */
  key: string
  _id: string | null
  system: (typeof downloadSystems)[number]
  name: string
  link: string
  file: DownloadFile | null
  archived: boolean
}

const valuesOf = ({ downloads }: Platform): { entries: Entry[] } => ({
  entries: downloads.map(({ link, ...download }) => ({ ...download, key: download._id, link: link ?? '' })),
})
const sent = ({ _id, system, name, link, file, archived }: Entry) => ({
  ...{ _id, system, name, archived },
  ...(file ? { link: null, file_id: file._id } : { link, file_id: null }),
})

let counted = 0
const newEntry = (): Entry => {
  counted += 1
  return { key: `new ${counted}`, _id: null, system: 'windows', name: '', link: '', file: null, archived: false }
}

/** The entries of one platform's downloads, in order. */
export function useDownloadsForm(platform: Platform) {
  const [sending, setSending] = useState<readonly string[]>([])
  const [round, setRound] = useState(0)
  const form = usePlatformForm(
    platform,
    { downloads: 'Downloads' },
    valuesOf,
    ({ entries }, version) => call(setDownloads, { id: platform._id, version, downloads: entries.map(sent) }),
    // A new entry has another key once it is saved, and its upload would find none.
    { isWaiting: sending.length > 0 },
  )
  const { entries } = form.values
  // An upload can end after its row was removed, which must not bring the older rows back.
  const latest = useRef(entries)
  latest.current = entries
  /** While a file of this entry is on its way, the form cannot be saved. */
  const hold = useCallback(
    (key: string, isHeld: boolean) =>
      setSending((before) => (isHeld ? [...before, key] : before.filter((each) => each !== key))),
    [],
  )
  return {
    ...form,
    entries,
    hold,
    /** Changes when the entries begin again, which ends their uploads. */
    round,
    undo() {
      setRound((before) => before + 1)
      form.undo()
    },
    set: (next: Entry[]) => form.change({ entries: next }),
    put: (key: string, part: Partial<Entry>) =>
      form.change({ entries: latest.current.map((each) => (each.key === key ? { ...each, ...part } : each)) }),
    add: () => form.change({ entries: [...entries, newEntry()] }),
  }
}
