import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.jplag.GreedyStringTiling;
import de.jplag.Language;
import de.jplag.Submission;
import de.jplag.Token;
import de.jplag.options.JPlagOptions;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;

/**
 * JPlag as a method of alike, with its own settings. CLASSPATH has the jars of de.jplag:jplag,
 * de.jplag:java and de.jplag:golang, version 4.3.0, the last for Java 17:
 *
 *     alike eval --data ir-plag --method 'exec:java examples/JPlag.java java'
 *
 * A text that does not parse is tried again as the body of a class, since some sets hold single
 * methods. One that still does not, or that has fewer tokens than JPlag matches, is empty.
 */
class JPlag {
    static final ObjectMapper json = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        boolean go = args[0].equals("go");
        Language language = go ? new de.jplag.golang.Language() : new de.jplag.java.Language();
        var tiling = new GreedyStringTiling(new JPlagOptions(language, Set.of(), Set.of()));
        Path folder = Files.createTempDirectory("jplag");
        Map<String, Submission> programs = new HashMap<>();
        say(Map.of("alike", 1, "name", "JPlag", "version", "4.3.0", "kind", "scores"));
        var in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = in.readLine()) != null;) {
            JsonNode message = json.readTree(line);
            if (message.has("score")) {
                List<Double> scores = new ArrayList<>();
                for (JsonNode pair : message.get("score"))
                    scores.add(score(tiling, programs.get(pair.get(0).asText()), programs.get(pair.get(1).asText())));
                say(Map.of("scores", scores));
                continue;
            }
            String id = message.get("id").asText(), text = message.get("text").asText();
            File file = folder.resolve(id + (go ? ".go" : ".java")).toFile();
            List<Token> tokens = List.of();
            for (String body : go ? List.of(text) : List.of(text, "class Body {\n" + text + "\n}")) {
                Files.writeString(file.toPath(), body);
                try {
                    tokens = language.parse(Set.of(file));
                    break;
                } catch (Exception e) {
                    // Its parser of Go throws other exceptions too. The next body, or none.
                }
            }
            file.delete();
            if (tokens.size() >= language.minimumTokenMatch()) {
                var program = new Submission(id, file, false, List.of(file), language);
                program.setTokenList(tokens);
                programs.put(id, program);
            }
            say(Map.of("id", id, "bytes", 4 * tokens.size(), "empty", !programs.containsKey(id)));
        }
        folder.toFile().delete();
    }

    static double score(GreedyStringTiling tiling, Submission a, Submission b) {
        if (a == null || b == null) return 0;
        // Tiles are laid greedily from one side; by name, so that the score is symmetric.
        return a.compareTo(b) <= 0 ? tiling.compare(a, b).similarity() : tiling.compare(b, a).similarity();
    }

    static void say(Object message) throws Exception {
        System.out.println(json.writeValueAsString(message));
    }
}
