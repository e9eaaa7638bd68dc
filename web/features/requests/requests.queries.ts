import { graphql } from '../../api/generated/gql.ts'

export const requestTypesQuery = graphql(`
  query RequestTypes {
    requests_types(show_in_portal: true) {
      _id
      name
      description
      predefined_type
      form {
        _id
      }
    }
  }
`)

export const requestTypeQuery = graphql(`
  query RequestType($_id: ID!, $customer: ID!) {
    request_type(_id: $_id) {
      _id
      name
      description
      predefined_type
      form {
        _id
      }
      last_request(customer: $customer) {
        _id
        number
        status
        comment
        created_at
      }
    }
  }
`)

export const requestsQuery = graphql(`
  query Requests(
    $customer: ID!
    $q: String
    $status: String
    $created_at: Millis
    $created_at_to: Millis
    $limit: Int
    $page: Int
  ) {
    requests(
      customer: $customer
      scope: "crm"
      q: $q
      status: $status
      created_at: $created_at
      created_at_to: $created_at_to
      limit: $limit
      page: $page
      withCount: true
    ) {
      _id
      number
      subject
      status
      status_since
      created_at
    }
  }
`)

export const requestQuery = graphql(`
  query Request($_id: ID!) {
    requests(_id: $_id, limit: 1) {
      _id
      number
      subject
      description
      status
      comment
      created_at
      form_data
      request_type {
        _id
        name
      }
    }
  }
`)
