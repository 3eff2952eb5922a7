// All panes in the order of their tabs, and the effects that serve them.
import { activeCount, startJobs } from "../state/jobs";
import { startProof } from "../state/proof";
import { W } from "../words";
import { type Pane, registerPane } from ".";
import { AnalysisPane } from "./analysis/AnalysisPane";
import { startAnalysis } from "./analysis/state";
import { CommentPane } from "./CommentPane";
import { DocumentsPane } from "./DocumentsPane";
import { FarmPane } from "./farm/FarmPane";
import { InfoPane } from "./InfoPane";
import { JobsPane } from "./jobs/JobsPane";
import { PlayPane } from "./play/PlayPane";
import { startPlay } from "./play/state";
import { startProofLayer } from "./proof/layer";
import { startWalkMode } from "./proof/mode";
import { ProofPane } from "./proof/ProofPane";
import { startPuzzle } from "./puzzle/drive";
import { SearchPane } from "./search/SearchPane";
import { SolvePane } from "./solve/SolvePane";
import { startThreats } from "./threats/state";
import { ThreatsPane } from "./threats/ThreatsPane";
import { TreePane } from "./tree/TreePane";

const activeJobs = (): string => (activeCount.value === 0 ? "" : String(activeCount.value));

const PANES: Pane[] = [
  { id: "tree", dock: "upper", words: () => W().tree, view: TreePane },
  { id: "documents", dock: "upper", words: () => W().documents, view: DocumentsPane },
  { id: "proof", dock: "upper", words: () => W().proof.title, view: ProofPane },
  { id: "search", dock: "upper", words: () => W().search.title, view: SearchPane },
  { id: "comment", dock: "lower", words: () => W().comment, view: CommentPane },
  { id: "info", dock: "lower", words: () => W().info, view: InfoPane },
  { id: "solve", dock: "lower", words: () => W().solve.title, view: SolvePane },
  { id: "threats", dock: "lower", words: () => W().threats.title, view: ThreatsPane },
  { id: "analysis", dock: "lower", words: () => W().analysis.title, view: AnalysisPane },
  { id: "play", dock: "lower", words: () => W().play.title, view: PlayPane },
  { id: "jobs", dock: "lower", words: () => W().jobs.title, view: JobsPane, badge: activeJobs },
  { id: "farm", dock: "lower", words: () => W().farm.title, view: FarmPane },
];

export function registerPanes(): void {
  for (const pane of PANES) registerPane(pane);
}

export function startPanes(): void {
  startJobs();
  startProof();
  startProofLayer();
  startWalkMode();
  startThreats();
  startAnalysis();
  startPlay();
  startPuzzle();
}
