import { graphql } from '../../api/generated/gql.ts'

/** The member's KYC documents and requirements in one query, so that both show the same moment. */
export const documentsQuery = graphql(`
  query Documents($limit: Int) {
    documents(limit: $limit) {
      _id
      title
      description
      url
      publish_date
      category
      valid_document
      status
      unverify_reason
      reject_reason
      expires_on
      extension
      size_bytes
      scan
      file_category_object {
        _id
        name
        description
        required
        valid_documents {
          _id
          name
          expires
        }
      }
    }
    documents_progress {
      status
      required
      done
      needs {
        kind
        _id
        category
        name
        note
        valid_document
        standing
      }
    }
  }
`)
