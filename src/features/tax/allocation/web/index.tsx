/** The door for other features: the page on which a business is connected to a service of the authority. */
export { AuthorityPage, type Service } from './AuthorityPage.tsx'
