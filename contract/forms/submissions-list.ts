import { declareList } from '../list.ts'

/** Who filled in a form, the newest first. */
export const submissionsList = declareList({ name: 'answers', rows: 'submissions', filters: {} })
