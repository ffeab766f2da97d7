/** The bundle of Adaptive Cards that Node can load; the package has types for its unbundled files only. */
declare module "adaptivecards/dist/adaptivecards.js" {
  export * from "adaptivecards";
}
