import { choiceOr, declareList } from '../list.ts'

/** The brokerage's own forms, by name. */
export const formsList = declareList({ name: 'forms', filters: { archived: choiceOr(['yes', 'no'], 'no') } })
