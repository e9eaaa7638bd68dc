import type { DocumentNeed, FileCategory } from '@atrium/contract/documents/calls.ts'
import { limits } from '@atrium/contract/limits.ts'
import DataLoader from 'dataloader'
import { mediaUrl } from '../files/media.ts'
import { givenFilter, readPage } from '../foundation/database/paging.ts'
import { builder } from '../graphql/builder.ts'
import type { GraphContext } from '../graphql/context.ts'
import { pageArgs, readCounted } from '../graphql/paging.ts'
import { countDocuments, type DocumentShape, listCategoriesByIds, listDocuments } from './queries.ts'
import { readKycDocuments, readRequirements } from './requirements.ts'

type Progress = { status: string; needs: DocumentNeed[] }

const document = builder.objectRef<DocumentShape>('Document')
const category = builder.objectRef<FileCategory>('FileCategory')
const validDocument = builder.objectRef<FileCategory['valid_documents'][number]>('ValidDocument')
const progress = builder.objectRef<Progress>('DocumentsProgress')
const need = builder.objectRef<DocumentNeed>('DocumentNeed')

const categoryLoader = ({ read, member }: GraphContext) =>
  new DataLoader<string, FileCategory>(async (ids) => {
    const found = await read((tx) => listCategoriesByIds(tx, member, ids))
    const byId = new Map(found.map((each) => [each._id, each]))
    return ids.map((id) => byId.get(id) ?? new Error('A document has its category'))
  })

export function describeDocuments(): void {
  describeCategories()
  document.implement({
    fields: (t) => ({
      _id: t.exposeID('document_id'),
      title: t.exposeString('title'),
      description: t.exposeString('description', { nullable: true }),
      url: t.string({ resolve: (row) => mediaUrl(row) }),
      publish_date: t.expose('created_at', { type: 'Millis' }),
      category: t.exposeID('file_category_id'),
      valid_document: t.exposeID('valid_document_id', { nullable: true }),
      status: t.exposeString('status'),
      unverify_reason: t.exposeString('unverify_reason', { nullable: true }),
      reject_reason: t.exposeString('reject_reason', { nullable: true }),
      expires_on: t.exposeString('expires_on', { nullable: true }),
      type: t.exposeString('kind'),
      extension: t.exposeString('extension'),
      size_bytes: t.int({ resolve: (row) => Number(row.size_bytes) }),
      scan: t.exposeString('scan'),
      file_category_object: t.field({
        reads: 1,
        type: category,
        resolve: (row, _args, context) => context.own(categoryLoader).load(row.file_category_id),
      }),
    }),
  })
  describeProgress()
  builder.queryFields((t) => ({
    documents: t.field({
      scopes: ['documents'],
      reads: 1,
      type: [document],
      args: {
        category: t.arg.id(),
        status: t.arg.string(),
        ...pageArgs,
      },
      resolve: async (_root, { category, status, withCount, ...asked }, context, info) => {
        const { member } = context
        const filter = { category: givenFilter(category)?.toLowerCase() ?? null, status: givenFilter(status) }
        const page = readPage(asked, limits.documentsPageSize)
        return readCounted(context, info, withCount, {
          rows: async (tx) => (page ? listDocuments(tx, member, filter, page) : []),
          count: (tx) => countDocuments(tx, member, filter),
        })
      },
    }),
    documents_progress: t.field({
      scopes: ['documents'],
      reads: 5,
      type: progress,
      resolve: (_root, _args, { read, member }) =>
        read(async (tx): Promise<Progress> => {
          const held = await readKycDocuments(tx, member, member.memberId)
          return { status: held.documents_status, needs: await readRequirements(tx, member, held) }
        }),
    }),
  }))
}

function describeCategories(): void {
  validDocument.implement({
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      expires: t.exposeBoolean('expires'),
    }),
  })
  category.implement({
    fields: (t) => ({
      _id: t.exposeID('_id'),
      name: t.exposeString('name'),
      description: t.exposeString('description'),
      required: t.exposeBoolean('required'),
      valid_documents: t.field({ usualLength: 8, type: [validDocument], resolve: (row) => row.valid_documents }),
    }),
  })
}

function describeProgress(): void {
  need.implement({
    fields: (t) => ({
      kind: t.exposeString('kind'),
      _id: t.exposeID('_id'),
      category: t.exposeID('category'),
      name: t.exposeString('name'),
      note: t.exposeString('note'),
      valid_document: t.exposeID('valid_document', { nullable: true }),
      standing: t.exposeString('standing'),
    }),
  })
  progress.implement({
    fields: (t) => ({
      status: t.exposeString('status'),
      required: t.int({ resolve: ({ needs }) => needs.length }),
      done: t.int({ resolve: ({ needs }) => needs.filter(({ standing }) => standing === 'approved').length }),
      needs: t.field({ usualLength: 10, type: [need], resolve: ({ needs }) => needs }),
    }),
  })
}
