import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PlantsApi;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.GatewayError;
import org.openapitools.client.model.Plant;

/** Lists plants with the client of OpenAPI Generator, and prints list pages or a failure as JSON. */
class ListPlants {
  private static final Pattern NEXT = Pattern.compile("<[^>]*[?&]cursor=([^&>]*)[^>]*>; rel=\"next\"");

  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    var token = System.getenv("TOKEN");
    if (token != null) {
      client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    }
    var limit = arguments.length > 0 ? Integer.valueOf(arguments[0]) : null;
    var mapper = client.getObjectMapper();
    try {
      System.out.println(mapper.writeValueAsString(Map.of("pages", pages(new PlantsApi(client), limit))));
    } catch (ApiException failure) {
      System.out.println(mapper.writeValueAsString(body(mapper, failure)));
    }
  }

  private static List<List<Plant>> pages(PlantsApi api, Integer limit) throws ApiException {
    var pages = new ArrayList<List<Plant>>();
    String cursor = null;
    do {
      var response = api.listPlantsWithHttpInfo(limit, cursor);
      pages.add(response.getData());
      var link = response.getHeaders().getOrDefault("link", List.of(""));
      var next = NEXT.matcher(link.get(0));
      cursor = next.find() ? next.group(1) : null;
    } while (cursor != null);
    return pages;
  }

  private static Map<String, Object> body(ObjectMapper mapper, ApiException failure) throws Exception {
    var error = mapper.readValue(failure.getResponseBody(), Error.class);
    // A body without `error` is a GatewayError.
    if (error.getError() != null) {
      return Map.of("status", failure.getCode(), "error", error.getError(), "message", error.getMessage());
    }
    var gatewayError = mapper.readValue(failure.getResponseBody(), GatewayError.class);
    return Map.of("status", failure.getCode(), "message", gatewayError.getMessage());
  }
}
