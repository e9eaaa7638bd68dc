import { idShape } from '../ui/lists/shaped-search.ts'

type FrameSearch = {
  formId: string | null
  /** Undefined: as the browser has it. */
  scheme: 'dark' | 'light' | undefined
  isInPortal: boolean
}

/** What the address of the frame says. `id` names whose form it is, and the session says that better. */
export function readFrameSearch(search: URLSearchParams): FrameSearch {
  const formId = search.get('form')?.toLowerCase() ?? ''
  const dark = search.get('dark')
  return {
    formId: idShape.test(formId) ? formId : null,
    scheme: dark === '1' ? 'dark' : dark === '0' ? 'light' : undefined,
    isInPortal: search.get('members-portal') === '1',
  }
}
